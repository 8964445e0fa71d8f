import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { DataTable } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import styles from './Billing.module.css'
import { columnsWith } from './Lines.tsx'

interface DayLinesProps {
  training: TrainingQuery
  date: string
  close: () => void
}

/** The part of the bill that falls on a day. */
export default function DayLines({ training, date, close }: DayLinesProps) {
  const day = useQuery(query(api.meter.day, { ...training, date }))
  const columns = useMemo(() => columnsWith(day.data?.lines ?? [], null), [day.data])
  return (
    <Dialog title={`Cost of ${formatDate(date)}`} wide close={close}>
      <Fetched query={day} loading={<Skeleton rows={4} height="2rem" />}>
        {({ lines }) => (
          <>
            <DataTable
              label={`Cost of ${formatDate(date)}`}
              rows={lines}
              rowId={({ machine }) => machine}
              columns={columns}
              stacks
              empty="No machine ran on this day."
              csv={`Bill ${training.trainingName} ${date}`}
              maxHeight="55dvh"
            />
            <p className={styles.total}>
              <span>Total</span>
              <Rupees paise={lines.reduce((sum, { amountPaise }) => sum + amountPaise, 0)} />
            </p>
          </>
        )}
      </Fetched>
    </Dialog>
  )
}
