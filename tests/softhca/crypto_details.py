#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""
Prints what rdma-core's crypto tests want to know of the device: keys as they are and wrapped, and 'c' encrypted. All of it is
computed by libcrypto, which is there wherever Python is.
"""
import ctypes
import ctypes.util
import json
import struct

UNIT = 512

crypto = ctypes.CDLL(ctypes.util.find_library("crypto"))
for name in ("EVP_CIPHER_CTX_new", "EVP_aes_128_xts", "EVP_aes_128_wrap"):
    getattr(crypto, name).restype = ctypes.c_void_p


def encrypt(cipher, key, iv, text):
    context = ctypes.c_void_p(crypto.EVP_CIPHER_CTX_new())
    out, size = ctypes.create_string_buffer(len(text) + 16), ctypes.c_int()
    crypto.EVP_CIPHER_CTX_set_flags(context, 1)  # EVP_CIPHER_CTX_FLAG_WRAP_ALLOW
    assert crypto.EVP_EncryptInit_ex(context, ctypes.c_void_p(cipher()), None, key, iv) == 1
    assert crypto.EVP_EncryptUpdate(context, out, ctypes.byref(size), text, len(text)) == 1
    crypto.EVP_CIPHER_CTX_free(context)
    return out.raw[: size.value]


def wrap(secret):
    kek = bytes(range(16))  # the one that the device comes with
    return encrypt(crypto.EVP_aes_128_wrap, kek, b"\xa6" * 8, secret)


def encrypted(key, size):
    units = range(size // UNIT)
    return b"".join(
        encrypt(crypto.EVP_aes_128_xts, key, n.to_bytes(16, "little"), b"c" * UNIT) for n in units
    )


def words(data, code):
    return list(struct.unpack(f"{code[0]}{len(data) // struct.calcsize(code)}{code[1]}", data))


def main():
    key, long_key = bytes(range(100, 132)), bytes(range(64))
    print(json.dumps([{
        "credential": words(wrap(bytes(range(40))), "!Q"),
        "wrapped_key": words(wrap(key), "!Q"),
        "wrapped_256_bits_key": words(wrap(long_key), "!Q"),
        "plaintext_key": words(key, "=I"),
        "plaintext_256_bits_key": words(long_key, "=I"),
        "encrypted_data_for_512_c": words(encrypted(key, 512), "!Q"),
        "encrypted_data_for_1024_c": words(encrypted(key, 1024), "!Q"),
    }]))


main()
