/* SPDX-License-Identifier: MIT */
/*
 * Builds records of the .NET runtime, byte by byte, from the description of the format in
 * dotnet/diagnostics (ipc-protocol.md, "User_events format") and microsoft/perfview
 * (NetTraceFormat_v5.md, "Metadata event encoding").
 */
#ifndef DOTNET_BUILD_H
#define DOTNET_BUILD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Type codes of .NET fields. */
enum {
	NET_OBJECT = 1,
	NET_BOOLEAN = 3,
	NET_CHAR,
	NET_SBYTE,
	NET_BYTE,
	NET_INT16,
	NET_UINT16,
	NET_INT32,
	NET_UINT32,
	NET_INT64,
	NET_UINT64,
	NET_SINGLE,
	NET_DOUBLE,
	NET_DECIMAL,
	NET_DATETIME,
	NET_GUID,
	NET_STRING,
	NET_ARRAY
};

struct net {
	uint8_t p[70000];
	size_t n;
};

static inline void net_bytes(struct net *to, const void *p, size_t n)
{
	memcpy(to->p + to->n, p, n);
	to->n += n;
}

static inline void net_number(struct net *to, uint64_t value, size_t size)
{
	for (; size; size--, value >>= 8)
		to->p[to->n++] = (uint8_t)value;
}

/* Appends Latin-1 as UTF-16 with a NUL. */
static inline void net_text(struct net *to, const char *text)
{
	do
		net_number(to, (uint8_t)*text, 2);
	while (*text++);
}

/* Appends the metadata that precedes the number of fields. */
static inline void net_about(struct net *to, const char *provider, uint32_t id, const char *name,
			     uint64_t keywords, uint32_t version, uint32_t level, uint32_t fields)
{
	net_text(to, provider);
	net_number(to, id, 4);
	net_text(to, name);
	net_number(to, keywords, 8);
	net_number(to, version, 4);
	net_number(to, level, 4);
	net_number(to, fields, 4);
}

static inline void net_field(struct net *to, uint32_t type, const char *name)
{
	net_number(to, type, 4);
	net_text(to, name);
}

/* Appends a tag. */
static inline void net_tag(struct net *to, uint8_t kind, const struct net *data)
{
	net_number(to, data->n, 4);
	net_number(to, kind, 1);
	net_bytes(to, data->p, data->n);
}

/* Appends a field with tag 2. TYPE consists of the type code and everything after it. */
static inline void net_tagged_field(struct net *to, const char *name, const struct net *type)
{
	net_number(to, 4 + 2 * (strlen(name) + 1) + type->n, 4);
	net_text(to, name);
	net_bytes(to, type->p, type->n);
}

static inline void net_label_metadata(struct net *to, const struct net *metadata)
{
	net_number(to, 1, 1);
	net_number(to, metadata->n, 4);
	net_bytes(to, metadata->p, metadata->n);
}

static inline void net_label_id(struct net *to, uint8_t label, const void *guid)
{
	net_number(to, label, 1);
	net_bytes(to, guid, 16);
}

/*
 * Builds the bytes of a record, from the field "version" to the end, as on a little-endian
 * machine.
 */
static inline void net_record(struct net *to, uint16_t id, const struct net *extension,
			      const struct net *payload)
{
	to->n = 0;
	net_number(to, 1, 1);
	net_number(to, id, 2);
	net_number(to, extension->n << 16 | 4, 4); /* immediately follows the payload's offset */
	net_number(to, payload->n << 16 | extension->n, 4);
	net_bytes(to, extension->p, extension->n);
	net_bytes(to, payload->p, payload->n);
}

#endif
