import { Button } from '@mantine/core'
import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'

export const ProviderLink = ({ href, children }: { href: string; children: string }) => (
  <Button
    component="a"
    c="var(--on-accent)"
    td="none"
    href={href}
    target="_blank"
    rel="noreferrer"
    rightSection={<Icon name="external" size={16} />}
  >
    {children}
  </Button>
)
