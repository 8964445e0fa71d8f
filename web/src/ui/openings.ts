import type { OpeningKind } from '@trainyard/contract/words/remote.ts'

/** Display names of the ways to open a machine in the browser. */
export const OPENING_LABELS: Readonly<Record<OpeningKind, string>> = { terminal: 'Terminal', desktop: 'Desktop' }

/** Formats milliseconds as seconds: '1.8 s'. */
export const formatMilliseconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
