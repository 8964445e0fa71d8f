import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown'
import IconChevronUp from '@tabler/icons-react/icons/IconChevronUp'
import { nextSort, type Sort, type SortKey } from '../view.ts'
import styles from './MachineTable.module.css'

const COLUMNS: readonly { key: SortKey; header: string }[] = [
  { key: 'learner', header: 'Learner' },
  { key: 'name', header: 'Instance' },
  { key: 'state', header: 'State' },
  { key: 'hours', header: 'Hours left' },
  { key: 'address', header: 'Address' },
]

interface TableHeadProps {
  showLearner: boolean
  sort: Sort
  sortBy: (sort: Sort) => void
}

export function TableHead({ showLearner, sort, sortBy }: TableHeadProps) {
  return (
    <thead className={`${styles.head} no-print`}>
      <tr className={styles.headings} aria-rowindex={1}>
        <th scope="col" className={styles.check}>
          <span className="visually-hidden">Select</span>
        </th>
        {COLUMNS.filter(({ key }) => showLearner || key !== 'learner').map(({ key, header }) => {
          const direction = sort.by === key ? (sort.desc ? 'descending' : 'ascending') : undefined
          return (
            <th key={key} scope="col" className={styles[key]} aria-sort={direction}>
              <button type="button" className={styles.sort} onClick={() => sortBy(nextSort(sort, key))}>
                {header}
                {direction &&
                  (sort.desc ? <IconChevronDown size={13} aria-hidden /> : <IconChevronUp size={13} aria-hidden />)}
              </button>
            </th>
          )
        })}
        <th scope="col" className={styles.actions}>
          Actions
        </th>
      </tr>
    </thead>
  )
}
