/* SPDX-License-Identifier: BSD-2-Clause */
/* Many peers: worlds, channels, requests by peer, fans, barriers, multicast. Has segue/segue.h. */
#ifndef SEGUE_PEERS_H
#define SEGUE_PEERS_H

#include "segue/gen/peers.h"
#include "segue/peers/barrier.h"
#include "segue/peers/channel.h"
#include "segue/peers/exchange.h"
#include "segue/peers/fan.h"
#include "segue/peers/multi_channel.h"
#include "segue/peers/post.h"
#include "segue/peers/scope.h"
#include "segue/peers/team.h"
#include "segue/peers/world.h"
#include "segue/segue.h"

#endif
