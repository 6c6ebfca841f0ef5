/**
 * The first import of the process: libuv reads this when its threads start, which some packages make it do. Half of them
 * may look names up, and of the usual four two names whose servers do not answer would hold up all others.
 */
process.env.UV_THREADPOOL_SIZE ??= '16';
