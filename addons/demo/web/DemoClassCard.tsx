import { lazy, Suspense } from 'react'
import { DEMO_CLASS } from '../contract/demo-class.ts'

const DemoClass = lazy(() => import('./DemoClass.tsx'))

interface DemoClassCardProps {
  organization: string
  whose: { organization?: string }
  trainings: readonly { readonly training: string }[]
}

const DemoClassCard = ({ organization, whose, trainings }: DemoClassCardProps) =>
  trainings.some(({ training }) => training === DEMO_CLASS.training) && (
    <Suspense>
      <DemoClass organization={organization} whose={whose} />
    </Suspense>
  )
export default DemoClassCard
