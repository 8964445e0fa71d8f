import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useQuery } from '@tanstack/react-query'
import {
  Suspense,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { EMPTY } from '../../contract/words/problems.ts'
import type { Reader } from '../api/client.ts'
import { query } from '../api/queries.ts'
import { DialogButton } from './DialogButton.tsx'
import { DeleteButton, EditButton, deleteColumn } from './IconButtons.tsx'
import { Fetched } from './Fetched.tsx'
import { Skeleton } from './Skeleton.tsx'
import { DataTable, type Column } from './table/DataTable.tsx'
import styles from './AdminList.module.css'

interface AdminListProps<Reply, Row extends object> {
  /** Heading, also used in 'No User Found': 'User'. */
  title: string
  id: string
  read: Reader<undefined, Reply>
  /** Must be stable: declare it outside the component. */
  rowsOf: (reply: Reply) => readonly Row[]
  rowId: (row: Row) => string
  /** Columns except ID and actions, which every list has. Must be stable. */
  columns: readonly Column<Row>[]
  /** Content below a row, such as a long reason; null if the row has none. */
  below?: (row: Row) => ReactNode
  add: string
  addDialog: ComponentType<{ close: () => void }>
  nameOf: (row: Row) => string
  /** Dialog that edits a row; null if rows can't be edited. Must be stable. */
  editDialog: ComponentType<{ row: Row; close: () => void }> | null
  deleteDialog: ComponentType<{ row: Row; close: () => void }>
}

/** As high as a full list, so that the content below does not shift. */
const LOADING = <Skeleton rows={6} height="2.375rem" />

export function AdminList<Reply, Row extends object>(props: AdminListProps<Reply, Row>) {
  const {
    title,
    id,
    read,
    rowsOf,
    rowId,
    columns,
    below,
    add,
    addDialog: AddDialog,
    nameOf,
    editDialog: EditDialog,
    deleteDialog: DeleteDialog,
  } = props
  const heading = useId()
  const [toEdit, setToEdit] = useState<Row | null>(null)
  const [toDelete, setToDelete] = useState<Row | null>(null)
  const [isExpanded, setExpanded] = useState(false)
  const [isCut, setCut] = useState(false)
  const table = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // The list became shorter or longer: what has the focus stays in sight.
    if (table.current?.contains(document.activeElement)) document.activeElement!.scrollIntoView({ block: 'nearest' })
  }, [isExpanded])
  const collapse = (event: KeyboardEvent) => {
    const isTyped = event.target instanceof HTMLInputElement && event.target.value !== ''
    // The browser empties the search field.
    if (event.key === 'Escape' && !isTyped) setExpanded(false)
  }
  const list = useQuery({ ...query(read), select: rowsOf })
  useLayoutEffect(() => {
    const box = table.current?.querySelector('section')
    if (!box || isExpanded) return
    const measure = () => setCut(box.scrollHeight > box.clientHeight + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [isExpanded, list.data])
  const allColumns = useMemo<readonly Column<Row>[]>(
    () => [
      { id: 'number', header: 'ID', cell: numberOf, width: '3.5rem', narrow: '1.75rem' },
      ...columns,
      EditDialog === null
        ? deleteColumn(nameOf, setToDelete, '2.75rem')
        : {
            // The column is shared, because a phone has no room for two.
            id: 'change',
            header: 'Edit, Delete',
            width: '7.5rem',
            narrow: '5rem',
            cell: (row) => (
              <div className={styles.buttons}>
                <EditButton name={nameOf(row)} onClick={() => setToEdit(row)} />
                <DeleteButton name={nameOf(row)} onClick={() => setToDelete(row)} />
              </div>
            ),
          },
    ],
    [columns, nameOf, EditDialog],
  )

  return (
    <section id={id} className={styles.list} aria-labelledby={heading}>
      <div className={`row ${styles.head}`}>
        <h2 id={heading}>{title}</h2>
        <DialogButton variant="default" size="sm" icon={IconPlus} dialog={(close) => <AddDialog close={close} />}>
          {add}
        </DialogButton>
      </div>
      <Fetched query={list} loading={LOADING}>
        {(data) => (
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape collapses the list, as the button does
          <div ref={table} onKeyDown={collapse}>
            <DataTable
              label={title}
              rows={data}
              rowId={rowId}
              columns={allColumns}
              empty={EMPTY.list(title)}
              unmatched={EMPTY.list(title)}
              search
              csv={`${title} list`}
              tools={
                (isExpanded || isCut) && (
                  <Button
                    variant="default"
                    size="sm"
                    aria-expanded={isExpanded}
                    onClick={() => setExpanded(!isExpanded)}
                  >
                    {isExpanded ? 'Show fewer' : `Show all ${data.length}`}
                  </Button>
                )
              }
              maxHeight={isExpanded ? 'none' : '15rem'}
              {...(below && { below })}
            />
          </div>
        )}
      </Fetched>
      {toEdit && EditDialog && (
        <Suspense>
          <EditDialog row={toEdit} close={() => setToEdit(null)} />
        </Suspense>
      )}
      {toDelete && <DeleteDialog row={toDelete} close={() => setToDelete(null)} />}
    </section>
  )
}

const numberOf = (_row: object, index: number) => index + 1
