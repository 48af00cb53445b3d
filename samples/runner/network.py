# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface that gloo takes to other machines.

By itself gloo takes the address of the host's own name, which is 127.0.1.1 wherever the system was installed by Debian:
no other machine reaches a rank there.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct

FLAG = "GLOO_SOCKET_IFNAME"  # of gloo; what a user set stays
NOBODY = "192.0.2.1"  # RFC 5737: the way to it is the default route


def is_loopback(address: str) -> bool:
    return address.startswith("127.")


def own_address() -> str:
    """Of the host's own name; empty where it has none."""
    try:
        return socket.gethostbyname(socket.gethostname())
    except OSError:
        return ""


def address_towards(host: str) -> str:
    """Of this machine, on its way to a host; empty where there is no way. Nothing is sent."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((host, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return ""


def interface_of(address: str) -> str:
    """The interface that has the address; empty where none has."""
    SIOCGIFADDR = 0x8915  # of Linux: the IPv4 address of an interface
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            try:
                found = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:  # it has none
                continue
            if socket.inet_ntoa(found[20:24]) == address:
                return name
    return ""


def choose_interface(master: str) -> None:
    """Tells gloo the interface towards the first node, where the host's own name would mislead it. On the first node
    itself, whose name may be as misleading, that of the default route."""
    own = own_address()
    if FLAG in os.environ or (own and not is_loopback(own)):
        return
    for host in (master, NOBODY):
        address = address_towards(host) if host else ""
        name = interface_of(address) if address and not is_loopback(address) else ""
        if name:
            os.environ[FLAG] = name
            return
