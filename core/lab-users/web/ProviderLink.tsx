import IconExternalLink from '@tabler/icons-react/icons/IconExternalLink'
import { Button } from '@mantine/core'

export const ProviderLink = ({ href, children }: { href: string; children: string }) => (
  <Button
    component="a"
    c="var(--on-accent)"
    td="none"
    href={href}
    target="_blank"
    rel="noreferrer"
    rightSection={<IconExternalLink size={16} aria-hidden />}
  >
    {children}
  </Button>
)
