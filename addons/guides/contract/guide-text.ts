import { z } from 'zod'

const TAGS = [
  'paragraph',
  'heading',
  'list',
  'item',
  'quote',
  'fence',
  'table',
  'row',
  'cell',
  'rule',
  'details',
  'summary',
  'task',
  'question',
  'text',
  'code',
  'strong',
  'emphasis',
  'deleted',
  'link',
  'image',
  'kbd',
  'sub',
  'sup',
  'break',
] as const
type Tag = (typeof TAGS)[number]

const ALERT_KINDS = ['note', 'tip', 'important', 'warning', 'caution'] as const

/** Part of a guide's text. The server makes it from Markdown; the browser turns it into elements, never into HTML. */
export interface GuideNode {
  readonly tag: Tag
  readonly text?: string | undefined
  readonly children?: readonly GuideNode[] | undefined
  /** Level of a heading, from 1. */
  readonly level?: number | undefined
  /** First number of an ordered list. */
  readonly start?: number | undefined
  /** Address of a link, or path of a picture in the guide, whose `text` says what it shows. */
  readonly href?: string | undefined
  /** Task or question that is shown here. */
  readonly id?: string | undefined
  readonly alert?: (typeof ALERT_KINDS)[number] | undefined
  /** Effect of a click on code: types it into the terminal, or copies it. */
  readonly action?: 'run' | 'copy' | undefined
  /** Press Ctrl+C before typing. */
  readonly interrupt?: boolean | undefined
}

export const guideNode: z.ZodType<GuideNode> = z.lazy(() =>
  z.object({
    tag: z.enum(TAGS),
    text: z.string().optional(),
    children: z.array(guideNode).optional(),
    level: z.int().optional(),
    start: z.int().optional(),
    href: z.string().optional(),
    id: z.string().optional(),
    alert: z.enum(ALERT_KINDS).optional(),
    action: z.enum(['run', 'copy']).optional(),
    interrupt: z.boolean().optional(),
  }),
)
