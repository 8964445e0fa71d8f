/** The way somebody comes into a machine: the protocol, and the port that it is spoken on. */
export const ENTRANCES = {
  Linux: { protocol: 'SSH', port: 22 },
  Windows: { protocol: 'RDP', port: 3389 },
} as const

/** Asks machines for the first words of the protocol that people come in by. */
export interface Greetings {
  /**
   * Returns true when the machine at a public address greets as such a system does. Nothing secret is sent, and nothing
   * that it answers is followed anywhere.
   */
  answers(address: string, os: keyof typeof ENTRANCES, signal: AbortSignal): Promise<boolean>
}
