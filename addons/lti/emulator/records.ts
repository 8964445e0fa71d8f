import { z } from 'zod'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'

const CONTEXT_ROLE = 'http://purl.imsglobal.org/vocab/lis/v2/membership'
const LEARNER = `${CONTEXT_ROLE}#Learner`
export const INSTRUCTOR = `${CONTEXT_ROLE}#Instructor`

export const memberShape = z.strictObject({
  id: z.string().min(1).max(255),
  name: z.string().max(200).nullable().default(null),
  email: z.string().max(254).nullable().default(null),
  roles: z.array(z.string().max(200)).max(20).default([LEARNER]),
  status: z.enum(['Active', 'Inactive', 'Deleted']).default('Active'),
})
export type Member = z.infer<typeof memberShape>

export interface Tool {
  readonly clientId: string
  readonly deployment: string
  readonly name: string
  readonly loginUrl: string
  readonly redirectUrls: readonly string[]
  readonly keySetUrl: string
  readonly targetUrl: string
  readonly scopes: readonly string[]
  /** False until the administrator of the LMS activates the tool. */
  readonly isActive: boolean
}

/** An activity in a course. */
export interface Link {
  readonly id: string
  readonly course: string
  readonly clientId: string
  readonly title: string
  readonly url: string
  readonly custom: Readonly<Record<string, string>>
  /** Column in the gradebook; null: none. */
  readonly item: string | null
}

export interface LineItem {
  readonly id: string
  readonly course: string
  readonly clientId: string
  readonly link: string | null
  readonly label: string
  readonly maximum: number
}

export interface Score {
  readonly item: string
  readonly user: string
  readonly given: number | null
  readonly maximum: number | null
  readonly activity: string
  readonly grading: string
  readonly comment: string | null
  readonly at: string
}

const COURSE = 'CS101'

const SEEDS: readonly Member[] = [
  { id: '3', name: 'Ravi Menon', email: 'ravi.menon@campus.test', roles: [INSTRUCTOR] },
  { id: '5', name: 'Asha Verma', email: 'asha.verma@campus.test' },
  { id: '6', name: 'आशा वर्मा', email: null },
  { id: '7', name: 'محمد علي', email: 'mohammed.ali@campus.test' },
  { id: '8', name: null, email: null },
].map((member) => memberShape.parse(member))

/** Courses, members, tools, activities and the gradebook of the LMS. */
export class LmsRecords {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
    database.applySchema(`
      CREATE TABLE IF NOT EXISTS lti_record (kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id));
      CREATE TABLE IF NOT EXISTS lti_member (course TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (course, id));
      CREATE TABLE IF NOT EXISTS lti_score (item TEXT NOT NULL, user TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (item, user));`)
    if (this.course(COURSE) !== undefined) return
    this.putCourse({ id: COURSE, title: 'Computer Science 101' })
    this.putMembers(COURSE, SEEDS)
  }

  courses = () => this.#all<{ id: string; title: string }>('course')
  course = (id: string) => this.#one<{ id: string; title: string }>('course', id)
  putCourse = (course: { id: string; title: string }): void => this.#put('course', course.id, course)

  tools = () => this.#all<Tool>('tool')
  tool = (clientId: string) => this.#one<Tool>('tool', clientId)
  putTool = (tool: Tool): void => this.#put('tool', tool.clientId, tool)

  links = () => this.#all<Link>('link')
  link = (id: string) => this.#one<Link>('link', id)
  putLink = (link: Link): void => this.#put('link', link.id, link)

  items = () => this.#all<LineItem>('item')
  item = (id: string) => this.#one<LineItem>('item', id)
  putItem = (item: LineItem): void => this.#put('item', item.id, item)

  members(course: string): Member[] {
    return this.#database
      .all<{ value: string }>('SELECT value FROM lti_member WHERE course = ? ORDER BY rowid', course)
      .map(({ value }) => JSON.parse(value) as Member)
  }

  member = (course: string, id: string) => this.members(course).find((member) => member.id === id)

  putMembers(course: string, members: readonly Member[]): void {
    this.#database.transaction(() => {
      this.#database.run('DELETE FROM lti_member WHERE course = ?', course)
      for (const member of members)
        this.#database.run('INSERT INTO lti_member VALUES (?, ?, ?)', course, member.id, JSON.stringify(member))
    })
  }

  scores(item: string): Score[] {
    return this.#database
      .all<{ value: string }>('SELECT value FROM lti_score WHERE item = ? ORDER BY user', item)
      .map(({ value }) => JSON.parse(value) as Score)
  }

  putScore(score: Score): void {
    this.#database.run(
      'INSERT INTO lti_score VALUES (?, ?, ?) ON CONFLICT (item, user) DO UPDATE SET value = excluded.value',
      score.item,
      score.user,
      JSON.stringify(score),
    )
  }

  #all<Row>(kind: string): Row[] {
    return this.#database
      .all<{ value: string }>('SELECT value FROM lti_record WHERE kind = ? ORDER BY rowid', kind)
      .map(({ value }) => JSON.parse(value) as Row)
  }

  #one<Row>(kind: string, id: string): Row | undefined {
    const row = this.#database.one<{ value: string }>(
      'SELECT value FROM lti_record WHERE kind = ? AND id = ?',
      kind,
      id,
    )
    return row === undefined ? undefined : (JSON.parse(row.value) as Row)
  }

  #put(kind: string, id: string, value: object): void {
    this.#database.run(
      'INSERT INTO lti_record VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value',
      kind,
      id,
      JSON.stringify(value),
    )
  }
}
