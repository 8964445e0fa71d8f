import { z } from 'zod'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'

export const personShape = z.strictObject({
  subject: z.string().min(1).max(120),
  email: z.string().max(254),
  name: z.string().max(120),
  /** If null, the claim is omitted, as in tokens from Entra ID. Tokens from Amazon Cognito contain it as a text. */
  emailVerified: z
    .union([z.boolean(), z.string().max(20)])
    .nullable()
    .default(true),
  /**
   * If there are more than 200 groups, the token contains only a reference to them, as in Entra ID (`_claim_names`).
   */
  groups: z.array(z.string().max(120)).max(1000).default([]),
  /**
   * Authentication methods (RFC 8176). If empty, the claim is left out, as in tokens from Entra ID and Google. It is a
   * text in tokens of providers that map the claim from an attribute.
   */
  amr: z.union([z.array(z.string().max(20)).max(10), z.string().max(100)]).default([]),
})
export type OpenIdPerson = z.infer<typeof personShape>

const SEEDS: readonly OpenIdPerson[] = [
  { subject: 'initech-learner', email: 'learner@initech.test', name: 'Peter G.', groups: ['learners'] },
  {
    subject: 'initech-admin',
    email: 'admin@initech.test',
    name: 'Milton W.',
    groups: ['lab-admins'],
    amr: ['pwd', 'otp', 'mfa'],
  },
  { subject: 'initech-new', email: 'new@initech.test', name: 'Joanna (new)', groups: ['learners'] },
  { subject: 'acme-admin', email: 'admin@acme.test', name: 'Acme’s admin', groups: ['lab-admins'] },
  { subject: 'acme-learner', email: 'learner@acme.test', name: 'Acme’s learner', groups: ['learners'] },
].map((person) => ({ amr: ['pwd'], ...person, emailVerified: true }))

export class OpenIdPeople {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
    database.applySchema('CREATE TABLE IF NOT EXISTS openid_person (subject TEXT PRIMARY KEY, person TEXT NOT NULL)')
    for (const person of SEEDS) {
      database.run(
        'INSERT INTO openid_person VALUES (?, ?) ON CONFLICT DO NOTHING',
        person.subject,
        JSON.stringify(person),
      )
    }
  }

  all(): OpenIdPerson[] {
    return this.#database
      .all<{ person: string }>('SELECT person FROM openid_person ORDER BY rowid')
      .map(({ person }) => personShape.parse(JSON.parse(person)))
  }

  find(subject: string): OpenIdPerson | undefined {
    return this.all().find((person) => person.subject === subject)
  }

  put(person: OpenIdPerson): void {
    this.#database.run(
      'INSERT INTO openid_person VALUES (?, ?) ON CONFLICT (subject) DO UPDATE SET person = excluded.person',
      person.subject,
      JSON.stringify(person),
    )
  }
}
