/**
 * Must be the first import of the process: libuv reads this variable when its threads start, which importing some
 * packages causes. Half of the threads may look up names: with the default of four, two names whose servers do not
 * respond would block all other lookups.
 */
process.env.UV_THREADPOOL_SIZE ??= '16';
