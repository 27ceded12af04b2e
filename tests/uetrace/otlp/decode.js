// SPDX-License-Identifier: MIT
// Checks that each line of standard input is a valid OpenTelemetry request. Encodes each request as
// protobuf, decodes it, and compares the result with the original, to detect unknown members.
//	node decode.js .../otlp-transformer/build/src/generated/root.js <FILE
const { collector } = require(process.argv[2]).opentelemetry.proto;
const options = { longs: String, enums: Number, bytes: String, json: true };

// Returns a copy with sorted members and without empty arrays, because protobuf cannot represent
// those.
function plain(value) {
	if (Array.isArray(value))
		return value.map(plain);
	if (!value || typeof value !== 'object')
		return value;
	const members = Object.keys(value).sort().filter((k) => !(Array.isArray(value[k]) && !value[k].length));
	return Object.fromEntries(members.map((k) => [k, plain(value[k])]));
}

for (const line of require('fs').readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
	const request = JSON.parse(line);
	const Message = request.resourceLogs ? collector.logs.v1.ExportLogsServiceRequest :
		collector.trace.v1.ExportTraceServiceRequest;
	const message = Message.fromObject(request);
	const back = Message.toObject(Message.decode(Message.encode(message).finish()), options);
	const [a, b] = [request, back].map((v) => JSON.stringify(plain(v)));

	if (Message.verify(message) || a !== b) {
		console.log(`${Message.verify(message) || ''}\n${a}\n${b}`);
		process.exit(1);
	}
}
