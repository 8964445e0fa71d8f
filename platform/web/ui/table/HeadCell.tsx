import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown'
import IconChevronUp from '@tabler/icons-react/icons/IconChevronUp'
import styles from './DataTable.module.css'

interface HeadCellProps {
  header: string
  align?: 'end'
  sorted: false | 'asc' | 'desc'
  sort?: () => void
}

export function HeadCell({ header, align, sorted, sort }: HeadCellProps) {
  return (
    <th
      scope="col"
      data-align={align}
      aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined}
    >
      {sort ? (
        <button type="button" className={styles.sort} onClick={sort}>
          {header}
          <span className={styles.arrow} data-sorted={sorted || undefined}>
            {sorted === 'desc' ? <IconChevronDown size={14} aria-hidden /> : <IconChevronUp size={14} aria-hidden />}
          </span>
        </button>
      ) : (
        header
      )}
    </th>
  )
}
