import type { OpeningKind } from '../contract/operation.ts'

export const OPENING_LABELS: Readonly<Record<OpeningKind, string>> = { terminal: 'Terminal', desktop: 'Desktop' }

export const formatMilliseconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
