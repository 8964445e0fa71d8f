import { z } from 'zod'
import type { Book } from '#src/record/book.ts'

/** Somebody who can sign in at the emulated provider. */
export const personShape = z.strictObject({
  subject: z.string().min(1).max(120),
  email: z.string().max(254),
  name: z.string().max(120),
  /** null: the claim is left out, as Entra ID leaves it out. */
  emailVerified: z.boolean().nullable().default(true),
  groups: z.array(z.string().max(120)).max(200).default([]),
  /** Ways in which they prove who they are, in the words of RFC 8176; none: the claim is left out, as Entra ID and Google leave it out. */
  amr: z.array(z.string().max(20)).max(10).default([]),
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

/** The people of the emulated OpenID provider; those that a test puts there stay. */
export class OpenIdPeople {
  readonly #book: Book

  constructor(book: Book) {
    this.#book = book
    book.prepare('CREATE TABLE IF NOT EXISTS openid_person (subject TEXT PRIMARY KEY, person TEXT NOT NULL)')
    for (const person of SEEDS) {
      book.run('INSERT INTO openid_person VALUES (?, ?) ON CONFLICT DO NOTHING', person.subject, JSON.stringify(person))
    }
  }

  all(): OpenIdPerson[] {
    return this.#book
      .all<{ person: string }>('SELECT person FROM openid_person ORDER BY rowid')
      .map(({ person }) => personShape.parse(JSON.parse(person)))
  }

  find(subject: string): OpenIdPerson | undefined {
    return this.all().find((person) => person.subject === subject)
  }

  put(person: OpenIdPerson): void {
    this.#book.run(
      'INSERT INTO openid_person VALUES (?, ?) ON CONFLICT (subject) DO UPDATE SET person = excluded.person',
      person.subject,
      JSON.stringify(person),
    )
  }
}
