/**
 * Must be the first import of the process: libuv reads this variable when its threads start, and importing some
 * packages starts them. Half of the threads may be used for name lookups: with the default of four threads, two names
 * whose servers do not respond would block all other lookups.
 */
process.env.UV_THREADPOOL_SIZE ??= '16';
