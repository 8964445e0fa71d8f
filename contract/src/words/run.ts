/** Observations by which the portal learns that the provider's billing of a machine started or ended. */
export const RUN_CAUSES = {
  'create accepted': 'the cloud took the creation',
  'start accepted': 'the cloud took the start',
  'restart accepted': 'the cloud took the restart',
  'stop accepted': 'the cloud took the stop',
  'delete accepted': 'the cloud took the deletion',
  deleted: 'the cloud had nothing of it any more',
  'seen running': 'it was seen running',
  'seen halted': 'it was seen shut down from inside, which is billed',
  'seen stopped': 'it was seen stopped',
  'seen changing': 'it was seen on its way, after a lost reply or by somebody else',
  'seen failed': 'it was seen to have failed',
  'seen absent': 'it was seen to be gone',
  imported: 'it was brought in from before',
} as const
export type RunCause = keyof typeof RUN_CAUSES
