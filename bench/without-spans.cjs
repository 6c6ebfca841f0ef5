/** Loaded into the service before it starts, to run work without spans. */
require('reflect-metadata');
const { join } = require('node:path');

const spans = require(join(process.argv[1], '../common/tracing/spans.js'));
spans.startSpan = () => undefined;
spans.currentTrace = () => undefined;
spans.inTrace = (_trace, work) => work();
spans.inSpan = (_name, _start, work) => work();
spans.inSpanOf = (_cause, _name, _start, work) => work();
