import { Button } from '@mantine/core'
import { Suspense, lazy, useState } from 'react'
import { Icon } from '#src/ui/Icon.tsx'
import type { LabUser, LabUserSource } from '../lab-users.ts'

const load = () => import('./BulkUsers.tsx')
const BulkUsers = lazy(load)

/** Bulk Add: many users at once from a CSV file. The dialog brings the code that reads it. */
export function BulkAdd({ source }: { source: LabUserSource<LabUser> }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="upload" size={16} />}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => setOpen(true)}
      >
        Bulk Add
      </Button>
      {open && (
        <Suspense>
          <BulkUsers source={source} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
