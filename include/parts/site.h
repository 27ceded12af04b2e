/* SPDX-License-Identifier: MIT */
/*
 * What a site says of itself
 */

/* @private */

/* An event's descriptor, which is constant. What follows it depends on the variant. */
struct ue__desc {
	uint8_t variant; /* enum ue__variant */
	uint8_t reserved[3];
	uint32_t fixed;	  /* bytes of payload of fixed size */
	uint16_t values;  /* arguments of ue__encode_...() */
	uint16_t dynamic; /* fields whose size only their value tells */
	uint16_t types;	  /* fields; of each a uint32_t, then UE__T_END */
	uint16_t meta;	  /* bytes of header and metadata */
};
enum ue__variant {
	UE__DESC_KERNEL,    /* UE_TRACE: types, "name;field;field;" */
	UE__DESC_LOG,	    /* UE_LOG: types, header and metadata */
	UE__DESC_SET,	    /* UE_EVENT_SET: uint64_t keyword, "provider\0group\0" */
	UE__DESC_TEXT,	    /* of run time: the text that registers it; FIXED is the flags */
	UE__DESC_CALLBACKS, /* TRACE_EVENT: struct ue__callbacks */
	UE__DESC_PROBE	    /* the same, for probes with arguments alone, without a payload */
};
/* Functions that make the texts of an event. */
struct ue__callbacks {
	const char *name;
	int (*spec)(char out[512], const char *name);		     /* 0 or -E2BIG */
	int (*print)(char *buffer, size_t size, const void *record); /* as snprintf() */
};
/* Limits of small events, which have one buffer: names and fixed fields; a string. */
enum { UE__SMALL_SIZE = 256, UE__SMALL_STRING = 128 };
/* A longer string may make the event too large for tracers. */
enum {
	UE__LONG_STRING = UE_MAX_EVENT - UE__SMALL_SIZE - 4 * UE__SMALL_STRING < 65535
				  ? UE_MAX_EVENT - UE__SMALL_SIZE - 4 * UE__SMALL_STRING
				  : 65535
};
/* fixed fields and metadata: beside them are index, activity, what a value's 8 bytes reach */
enum { UE__SMALL_FIXED = UE__SMALL_SIZE - 4 - 36 - 8 };
/* The flags of an event's header: this machine's, and that metadata follows. */
#define UE__HEADER_FLAGS                                                              \
	((sizeof(void *) == 8 ? UE__HEADER_POINTER64 : 0) |                           \
	 (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? UE__HEADER_LITTLE_ENDIAN : 0) | \
	 UE__HEADER_EXTENSION)
/* Pairs of segments that an array of strings may take. */
#define UE__STRING_PAIRS 33

struct ue__span {
	const void *data;
	size_t count;
};

/*
 * In C++ the state begins as UE__NEW_IN_DATA, which is not zero, so that the event is in .data: a
 * USDT semaphore must be in the file, and .bss is not.
 */
enum { UE__NEW, UE__REGISTERED, UE__NEW_IN_DATA };
#define UE__KERNEL_BIT 1u
#define UE__PROBE_BIT 2u
#define UE__RECORD_BIT 8u /* a recorder or a capture of this process listens */
#define UE__OUR_BITS (UE__PROBE_BIT | UE__RECORD_BIT)
#define UE__OWN_BIT \
	4u /* the kernel's, of events with a file of their own: those known at run time */
/* In ue_event.index and in what is written: only probes get the event. */
#define UE__NO_INDEX 0xffffffffu
