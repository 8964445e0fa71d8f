import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'

export default function ConnectSection({ organization }: { organization: string }) {
  return (
    <Section
      title="Connect Your LMS"
      text="Learners open their machines from a course in Moodle, Canvas, Brightspace or another LMS with LTI 1.3."
    >
      <p>
        <ScreenLink to="/admin/lms" search={{ organization }}>
          Connect an LMS
        </ScreenLink>
      </p>
    </Section>
  )
}
