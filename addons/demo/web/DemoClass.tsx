import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'
import IconTrash from '@tabler/icons-react/icons/IconTrash'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { DEMO_CLASS, isDemoLearner } from '../contract/demo-class.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { WebAccessButton } from '@trainyard/machines/web/WebAccessButton.tsx'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { StatusBadge } from '@trainyard/machines/web/StatusBadge.tsx'
import styles from '@trainyard/home/web/Home.module.css'
import { machinesOf } from '@trainyard/home/web/MyMachines.tsx'

interface DemoClassProps {
  organization: string
  /** Organisation of the demo class, shown to a superadmin. */
  whose: { organization?: string }
}

/** The demo class of an organisation, until it is deleted. */
export default function DemoClass({ organization, whose }: DemoClassProps) {
  const heading = useId()
  const machines = useQuery(machinesOf({ trainingName: DEMO_CLASS.training, ...whose }, true))
  const seats = machines.data?.filter(({ email }) => isDemoLearner(email)) ?? []
  if (seats.length === 0) return null
  const training = { ...whose, training: DEMO_CLASS.training }
  return (
    <section className="panel stack" aria-labelledby={heading}>
      <h2 id={heading}>{DEMO_CLASS.training}</h2>
      <p>
        Open a learner’s machine when it runs.{' '}
        <ScreenLink to="/vm/class" search={training}>
          Class
        </ScreenLink>{' '}
        shows both seats as an instructor sees them.
      </p>
      <ul className={styles.seats} aria-labelledby={heading}>
        {seats.map((machine) => (
          <li key={machine.name}>
            <strong>{machine.learnerName === null ? machine.name : givenNameFirst(machine.learnerName)}</strong>
            <StatusBadge status={machine.status} />
            <WebAccessButton machine={machine} label="Open the terminal" />
          </li>
        ))}
      </ul>
      <div>
        <DialogButton
          icon={IconTrash}
          variant="default"
          c="var(--danger)"
          size="xs"
          dialog={(close) => (
            <DeleteDialog
              name="demo class"
              remove={() => api.firstSteps.removeDemoClass({ organization })}
              invalidates={['home', 'training', 'machine']}
              close={close}
            >
              <p>The training {DEMO_CLASS.training} is deleted with its machines and its demo learners.</p>
            </DeleteDialog>
          )}
        >
          Delete the demo class
        </DialogButton>
      </div>
    </section>
  )
}
