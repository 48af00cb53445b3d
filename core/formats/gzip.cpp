// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/gzip.h"

#include <zlib.h>

#include <new>

namespace pw {

std::string gzipped(std::string_view text) {
    constexpr int kGzip = 16, kWindow = 15, kMemory = 8;
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip + kWindow, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    std::string whole(text); // zlib's input is not const
    stream.next_in = reinterpret_cast<Bytef*>(whole.data());
    stream.avail_in = static_cast<uInt>(whole.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH); // into a buffer that is large enough for all of it
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

} // namespace pw
