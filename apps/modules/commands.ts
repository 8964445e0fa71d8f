import type { Command } from '../../server/src/core/command.ts'

type Load<Loaded> = () => Promise<Loaded>

/** Commands of add-ons for the operator, by their first words. They load only when they run. */
export const COMMANDS: Readonly<Record<string, Load<Command>>> = {
  audit: async () => (await import('../../server/src/domain/audit/operator.ts')).auditCommand,
  'superadmin reset-second-factor': async () =>
    (await import('../../server/src/domain/people/second-factor/operator.ts')).resetCommand,
}

/** Commands that run without the settings and the database of a portal. */
export const COMMANDS_ELSEWHERE: Readonly<
  Record<string, Load<(logMessage: (line: string) => void) => Promise<number>>>
> = {
  gateway: async () => (await import('../../server/src/gateway/command.ts')).gatewayCommand,
}
