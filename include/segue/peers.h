/* SPDX-License-Identifier: BSD-2-Clause */
/* Many peers: worlds, channels, requests by peer, fans, barriers, multicast. Has segue/segue.h. */
#ifndef SEGUE_PEERS_H
#define SEGUE_PEERS_H

#include "segue/barrier.h"
#include "segue/channel.h"
#include "segue/credit.h"
#include "segue/fan.h"
#include "segue/gen/peers.h"
#include "segue/group.h"
#include "segue/multi_channel.h"
#include "segue/piece.h"
#include "segue/rails.h"
#include "segue/request.h"
#include "segue/scope.h"
#include "segue/segue.h"
#include "segue/team.h"
#include "segue/world.h"

#endif
