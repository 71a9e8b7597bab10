# SPDX-License-Identifier: BSD-2-Clause
# find_package(Segue CONFIG), of what `bazel run //:install` or segue_install() has installed:
#
#   Segue::segue    the library
#   Segue::checked  the same with its run-time checks (SEGUE_CHECKED=1)
#   Segue::peers    many peers (segue/peers.h), on top of Segue::segue; Segue::peers_checked on top of Segue::checked
#
# They are its COMPONENTS, too.

# PREFIX/lib/cmake/Segue, wherever PREFIX has been moved to.
get_filename_component(_segue_libdir "${CMAKE_CURRENT_LIST_DIR}/../.." REALPATH)
get_filename_component(_segue_include "${_segue_libdir}/../share/segue/include" ABSOLUTE)

if(NOT TARGET Segue::segue)
	foreach(_segue_kind segue checked)
		add_library(Segue::${_segue_kind} STATIC IMPORTED)
		# Not as system headers, in which gcc is silent about a dropped builder.
		set_target_properties(Segue::${_segue_kind} PROPERTIES
			INTERFACE_COMPILE_OPTIONS "-I${_segue_include};-Wunused-value"
			INTERFACE_LINK_LIBRARIES "mlx5;ibverbs;${CMAKE_DL_LIBS}")
	endforeach()
	set_target_properties(Segue::segue PROPERTIES IMPORTED_LOCATION "${_segue_libdir}/libsegue.a")
	set_target_properties(Segue::checked PROPERTIES
		IMPORTED_LOCATION "${_segue_libdir}/libsegue_checked.a"
		INTERFACE_COMPILE_DEFINITIONS SEGUE_CHECKED=1)
	add_library(Segue::peers STATIC IMPORTED)
	set_target_properties(Segue::peers PROPERTIES
		IMPORTED_LOCATION "${_segue_libdir}/libsegue_peers.a"
		INTERFACE_LINK_LIBRARIES Segue::segue)
	add_library(Segue::peers_checked STATIC IMPORTED)
	set_target_properties(Segue::peers_checked PROPERTIES
		IMPORTED_LOCATION "${_segue_libdir}/libsegue_peers_checked.a"
		INTERFACE_LINK_LIBRARIES Segue::checked)
endif()
foreach(_segue_component IN LISTS Segue_FIND_COMPONENTS)
	if(NOT TARGET Segue::${_segue_component} AND Segue_FIND_REQUIRED_${_segue_component})
		set(Segue_FOUND FALSE)
		set(Segue_NOT_FOUND_MESSAGE "Segue has no component ${_segue_component}, expected segue, checked, peers or peers_checked.")
	endif()
endforeach()
