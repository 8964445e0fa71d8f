import { useMediaQuery } from '@mantine/hooks'

/** Returns true on phones and at 200 % zoom, where the controls of a class are in menus, so that its learners are in sight. */
export const useIsNarrow = (): boolean => useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
