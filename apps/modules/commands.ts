import type { Command } from '@trainyard/platform/server/core/command.ts'

type Load<Loaded> = () => Promise<Loaded>

/** Commands of add-ons for the operator, by their first words. They load only when they run. */
export const COMMANDS: Readonly<Record<string, Load<Command>>> = {
  audit: async () => (await import('@trainyard/audit-chain/server/operator.ts')).auditCommand,
  guides: async () => (await import('@trainyard/guides/server/operator.ts')).guidesCommand,
  lxd: async () => (await import('@trainyard/lxd/server/operator.ts')).templateCommand,
  'superadmin reset-second-factor': async () =>
    (await import('@trainyard/second-factor/server/operator.ts')).resetCommand,
}

/** Commands that run without the settings and the database of a portal. */
export const COMMANDS_ELSEWHERE: Readonly<
  Record<string, Load<(logMessage: (line: string) => void) => Promise<number>>>
> = {
  gateway: async () => (await import('@trainyard/private-networks/server/gateway-command.ts')).gatewayCommand,
}
