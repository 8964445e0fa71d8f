import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { MenuItem, PopoverMenu } from '@trainyard/platform/web/ui/PopoverMenu.tsx'
import type { Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { guide } from '../contract/guide.ts'
import styles from './Library.module.css'
import { proofText } from './proof-text.ts'

type List = ReplyOf<typeof guide.list>
type Version = List['guides'][number]['versions'][number]
export type Use = List['attached'][number]

export interface LibraryRow extends Version {
  readonly guide: string
  readonly uses: readonly Use[]
}

/** The dialog that is open. */
export type Asked =
  | { readonly what: keyof typeof LABELS; readonly row: LibraryRow }
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

export const nameOf = ({ title, number }: LibraryRow) => `${title}, version ${number}`

const LABELS = {
  preview: 'Preview',
  prove: 'Prove',
  proofs: 'Proofs',
  publish: 'Publish',
  attach: 'Attach',
  retire: 'Retire',
  delete: 'Delete',
} as const

/** Returns what a version needs next. */
function nextOf({ state, proven, proof }: LibraryRow): keyof typeof LABELS | null {
  if (state === 'published') return 'attach'
  if (state === 'retired' || proof?.state === 'running') return null
  return proven === null ? 'prove' : 'publish'
}

export function columnsFor(ask: (asked: Asked) => void, timeZone: string): readonly Column<LibraryRow>[] {
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
      id: 'proof',
      header: 'Proof',
      value: ({ proof, steps }) => proofText(proof, steps, timeZone).label,
      cell(row) {
        const { signal, label } = proofText(row.proof, row.steps, timeZone)
        if (row.proof === null) return <Lamp signal={signal}>{label}</Lamp>
        return (
          <button
            type="button"
            className={styles.proofOf}
            aria-label={`${label}: proofs of ${nameOf(row)}`}
            onClick={() => ask({ what: 'proofs', row })}
          >
            <Lamp signal={signal}>{label}</Lamp>
          </button>
        )
      },
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
  const name = nameOf(row)
  const next = nextOf(row)
  const item = (what: keyof typeof LABELS, may = true) =>
    may && what !== next ? [{ label: LABELS[what], asked: { what, row } as const, destroys: what === 'delete' }] : []
  const isUsable = row.state !== 'retired'
  const items: readonly { readonly label: string; readonly asked: Asked; readonly destroys: boolean }[] = [
    ...item('preview'),
    ...item('prove', isUsable && row.proof?.state !== 'running'),
    ...item('proofs', row.proof !== null),
    ...item('publish', row.state === 'draft'),
    ...row.uses.map((use) => ({
      label: `Detach from ${textOfUse(use)}`,
      asked: { what: 'detach', row, use } as const,
      destroys: false,
    })),
    ...item('retire', isUsable),
    ...item('delete', row.uses.length === 0),
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
              destroys={destroys || undefined}
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
