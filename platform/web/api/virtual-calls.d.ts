declare module 'virtual:calls' {
  export const calls: Record<string, Record<string, import('../../contract/call.ts').WireCall>>
}

declare module 'virtual:audit-labels' {
  /** Texts that follow the name of the user or the portal in the audit log, by call or action. */
  export const auditLabels: Readonly<Record<string, string>>
}

declare module 'virtual:published-events' {
  /** Texts of the events that other systems can subscribe to, by type. */
  export const publishedEvents: Readonly<Record<string, string>>
}
