/**
 * The first import of the process: libuv reads this when its threads start, which some packages cause on import. Half of
 * them may look up names: of the default four, two names whose servers do not respond would block all others.
 */
process.env.UV_THREADPOOL_SIZE ??= '16';
