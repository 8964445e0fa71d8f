declare module 'virtual:calls' {
  export const calls: Record<string, Record<string, import('../../build/contract-calls.ts').WireCall>>
}

declare module 'virtual:audit-labels' {
  /** Texts that follow the name of the user or the portal in the audit log, by call or action. */
  export const auditLabels: Readonly<Record<string, string>>
}
