/** How the portal learns that the provider's billing of a machine started or ended. */
export const RUN_CAUSES = {
  'create accepted': 'the provider accepted the creation',
  'start accepted': 'the provider accepted the start',
  'restart accepted': 'the provider accepted the restart',
  'stop accepted': 'the provider accepted the stop',
  'delete accepted': 'the provider accepted the deletion',
  deleted: 'the machine no longer existed at the provider',
  'seen running': 'it was observed running',
  'seen halted': 'it was observed shut down from inside, which is still billed',
  'seen stopped': 'it was observed stopped',
  'seen changing': 'it was observed changing, after a lost reply or a change made elsewhere',
  'seen failed': 'it was observed as failed',
  'seen absent': 'it was observed as deleted',
  imported: 'it was imported',
  'price changed': 'the price changed',
} as const
export type RunCause = keyof typeof RUN_CAUSES
