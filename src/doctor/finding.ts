/** `skipped`: could not be checked because of another problem. */
export type FindingStatus = 'ok' | 'warning' | 'problem' | 'skipped';

/** The result of one check. Its texts contain neither secrets nor responses of other servers. */
export interface Finding {
  /** The part of the installation, for example `database`. */
  check: string;
  status: FindingStatus;
  detail: string;
  /** How to resolve a warning or a problem. */
  advice?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail });
export const skipped = (check: string, detail: string): Finding => ({ check, status: 'skipped', detail });
const advising =
  (status: 'warning' | 'problem') =>
  (check: string, detail: string, advice: string): Finding => ({ check, status, detail, advice });
export const warning = advising('warning');
export const problem = advising('problem');
