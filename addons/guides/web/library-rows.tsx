import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { MenuItem, PopoverMenu } from '@trainyard/platform/web/ui/PopoverMenu.tsx'
import type { Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { guide } from '../contract/guide.ts'
import styles from './Library.module.css'

type List = ReplyOf<typeof guide.list>
type Version = List['guides'][number]['versions'][number]
export type Use = List['attached'][number]

export interface LibraryRow extends Version {
  readonly guide: string
  readonly uses: readonly Use[]
}

/** The dialog that is open. */
export type Asked =
  | { readonly what: 'preview' | 'publish' | 'attach' | 'retire'; readonly row: LibraryRow }
  | { readonly what: 'detach'; readonly row: LibraryRow; readonly use: Use }

export const rowsOf = ({ guides, attached }: List): readonly LibraryRow[] =>
  guides.flatMap(({ guide: id, versions }) =>
    versions.map((version) => ({
      ...version,
      guide: id,
      uses: attached.filter((use) => use.guide === id && use.number === version.number),
    })),
  )

const STATES = {
  draft: { signal: 'moving', label: 'Draft' },
  published: { signal: 'clear', label: 'Published' },
  retired: { signal: 'gone', label: 'Retired' },
} as const

export const textOfUse = ({ trainingName, templateName }: Use): string =>
  templateName === null ? trainingName : `${trainingName}, ${templateName}`

const NEXT = { draft: 'publish', published: 'attach', retired: null } as const
const LABELS = { publish: 'Publish', attach: 'Attach', preview: 'Preview', retire: 'Retire' } as const

export function columnsFor(ask: (asked: Asked) => void): readonly Column<LibraryRow>[] {
  return [
    {
      id: 'guide',
      header: 'Guide',
      value: ({ title }) => title,
      searchText: ({ guide: id }) => id,
      cell: ({ title, guide: id }) => (
        <span className={styles.title}>
          {title}
          <span className={`mono ${styles.slug}`}>{id}</span>
        </span>
      ),
    },
    { id: 'number', header: 'Version', align: 'end', value: ({ number }) => number },
    {
      id: 'state',
      header: 'State',
      value: ({ state }) => STATES[state].label,
      cell: ({ state, reason }) => (
        <span title={reason ?? undefined}>
          <Lamp signal={STATES[state].signal}>{STATES[state].label}</Lamp>
        </span>
      ),
    },
    {
      id: 'content',
      header: 'Content',
      value: ({ tasks }) => tasks,
      cell: ({ steps, tasks, points }) =>
        `${countOf(steps, 'step')}, ${countOf(tasks, 'task')}, ${countOf(points, 'point')}`,
    },
    {
      id: 'uses',
      header: 'Used by',
      value: ({ uses }) => uses.map(textOfUse).join('; '),
      cell: ({ uses }) =>
        uses.length === 0 ? (
          '–'
        ) : (
          <ul className={styles.uses}>
            {uses.map((use) => (
              <li key={textOfUse(use)}>{textOfUse(use)}</li>
            ))}
          </ul>
        ),
    },
    {
      id: 'madeAt',
      header: 'Uploaded',
      value: ({ madeAt }) => madeAt,
      cell: ({ madeAt, madeBy }) => (
        <span title={madeBy}>
          <Instant at={madeAt} />
        </span>
      ),
    },
    { id: 'actions', header: 'Actions', cell: (row) => <Actions row={row} ask={ask} /> },
  ]
}

function Actions({ row, ask }: { row: LibraryRow; ask: (asked: Asked) => void }) {
  const name = `${row.title}, version ${row.number}`
  const next = NEXT[row.state]
  const items: readonly { readonly label: string; readonly asked: Asked; readonly destroys?: true }[] = [
    { label: LABELS.preview, asked: { what: 'preview', row } },
    ...row.uses.map((use) => ({
      label: `Detach from ${textOfUse(use)}`,
      asked: { what: 'detach', row, use } as const,
    })),
    ...(row.state === 'retired'
      ? []
      : [{ label: LABELS.retire, asked: { what: 'retire', row }, destroys: true } as const]),
  ]
  return (
    <span className={styles.actions}>
      {next && (
        <button
          type="button"
          className={styles.button}
          aria-label={`${LABELS[next]} ${name}`}
          onClick={() => ask({ what: next, row })}
        >
          {LABELS[next]}
        </button>
      )}
      <PopoverMenu
        label={`More actions for ${name}`}
        title="More actions"
        className="icon-button"
        button={<Icon name="more" size={17} />}
      >
        {(close) =>
          items.map(({ label, asked, destroys }, index) => (
            <MenuItem
              key={label}
              label={label}
              may={true}
              destroys={destroys}
              isFirst={index === 0}
              onClick={() => {
                close()
                ask(asked)
              }}
            />
          ))
        }
      </PopoverMenu>
    </span>
  )
}
