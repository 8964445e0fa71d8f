import type { OpeningKind } from '@trainyard/contract/words/remote.ts'

/** The ways of opening a machine in the browser, as they are shown. */
export const OPENED: Readonly<Record<OpeningKind, string>> = { terminal: 'Terminal', desktop: 'Desktop' }

/** '1.8 s' */
export const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
