/** The options of class-validator everywhere: unknown members are faults, and each member has one fault at most. */
export const VALIDATOR_OPTIONS = { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true };
