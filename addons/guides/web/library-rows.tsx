import IconDots from '@tabler/icons-react/icons/IconDots'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { MenuItem, PopoverMenu } from '@trainyard/platform/web/ui/PopoverMenu.tsx'
import type { Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { guide } from '../contract/guide.ts'
import styles from './Library.module.css'
import { proofText } from './proof-text.ts'
import type { GitPlace } from './useUpload.ts'

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

interface RowActions {
  ask(asked: Asked): void
  edit(row: LibraryRow): void
  /** Fetches a guide again from the same place. */
  update(place: GitPlace): void
}

const COMMIT = /^[0-9a-f]{40}$/

/** Returns where a version can be fetched again; null if that cannot give other files. */
function updateOf({ source }: LibraryRow): GitPlace | null {
  if (source === null) return null
  const { url, ref, folder } = source
  if (ref !== null && COMMIT.test(ref)) return null
  return { url, ...(ref !== null && { ref }), ...(folder !== '' && { folder }) }
}

export function columnsFor(actions: RowActions, timeZone: string): readonly Column<LibraryRow>[] {
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
            onClick={() => actions.ask({ what: 'proofs', row })}
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
      searchText: ({ source }) => source?.commit ?? '',
      cell: ({ madeAt, madeBy, source }) => (
        <span title={madeBy}>
          <Instant at={madeAt} />
          {source && (
            <span className={styles.slug} title={[source.url, source.folder].filter(Boolean).join(', ')}>
              Git{source.ref !== null && !COMMIT.test(source.ref) && ` ${source.ref}`},{' '}
              <span className="mono">{source.commit.slice(0, 8)}</span>
            </span>
          )}
        </span>
      ),
    },
    { id: 'actions', header: 'Actions', cell: (row) => <Actions row={row} {...actions} /> },
  ]
}

function Actions({ row, ask, edit, update }: RowActions & { row: LibraryRow }) {
  const name = nameOf(row)
  const next = nextOf(row)
  const item = (what: keyof typeof LABELS, may = true) =>
    may && what !== next
      ? [{ label: LABELS[what], run: () => ask({ what, row }), destroys: what === 'delete' || undefined }]
      : []
  const place = updateOf(row)
  const isUsable = row.state !== 'retired'
  const items: { label: string; destroys?: true | undefined; run: () => void }[] = [
    ...item('preview'),
    { label: row.state === 'draft' ? 'Edit' : 'New version from this one', run: () => edit(row) },
    ...(place === null ? [] : [{ label: 'Update from Git', run: () => update(place) }]),
    ...item('prove', isUsable && row.proof?.state !== 'running'),
    ...item('proofs', row.proof !== null),
    ...item('publish', row.state === 'draft'),
    ...row.uses.map((use) => ({
      label: `Detach from ${textOfUse(use)}`,
      run: () => ask({ what: 'detach', row, use }),
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
        button={<IconDots size={17} aria-hidden />}
      >
        {(close) =>
          items.map(({ label, run, destroys }, index) => (
            <MenuItem
              key={label}
              label={label}
              may={true}
              destroys={destroys}
              isFirst={index === 0}
              onClick={() => {
                close()
                run()
              }}
            />
          ))
        }
      </PopoverMenu>
    </span>
  )
}
