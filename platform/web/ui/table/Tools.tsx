import IconDownload from '@tabler/icons-react/icons/IconDownload'
import IconSearch from '@tabler/icons-react/icons/IconSearch'
import { Button, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './DataTable.module.css'
import { controlledText } from '../typed-fields.tsx'

interface ToolsProps {
  label: string
  entered: string
  onType?: (text: string) => void
  onExport?: () => void
  children?: ReactNode
}

export function Tools({ label, entered, onType, onExport, children }: ToolsProps) {
  return (
    <div className={`row ${styles.tools} no-print`}>
      {onType && (
        <TextInput
          type="search"
          size="sm"
          className={styles.search}
          aria-label={`Search ${label}`}
          placeholder="Search"
          leftSection={<IconSearch size={16} aria-hidden />}
          {...controlledText(entered, onType)}
        />
      )}
      <div className={`row ${styles.actions}`}>
        {children}
        {onExport && (
          <Button variant="default" size="sm" leftSection={<IconDownload size={16} aria-hidden />} onClick={onExport}>
            Export CSV
          </Button>
        )}
      </div>
    </div>
  )
}
