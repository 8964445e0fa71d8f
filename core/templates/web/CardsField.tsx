import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import styles from './TemplateForm.module.css'

interface CardsFieldProps {
  label: string
  chosen: readonly string[]
  /** Cards that are assigned already. */
  without?: readonly string[]
  choose: (names: string[]) => void
  error?: ReactNode
}

/** Field that chooses several cards. */
export function CardsField({ label, chosen, without, choose, error }: CardsFieldProps) {
  const { data } = useQuery(query(api.template.list))
  const cards = data?.templates.filter(({ name }) => without?.includes(name) !== true)
  return (
    <Checkbox.Group label={label} value={[...chosen]} onChange={choose} error={error}>
      <div className={styles.cards}>
        {cards?.map(({ name, rate }) => (
          <Checkbox key={name} value={name} label={name} description={`₹${rate} an hour`} />
        ))}
        {cards?.length === 0 && <p className="dim">All cards are assigned.</p>}
      </div>
    </Checkbox.Group>
  )
}
