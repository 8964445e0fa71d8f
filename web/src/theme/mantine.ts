// Mantine's sheets that most screens need, in the order that Mantine wants them. A component that is not here
// imports its own sheet from the module that uses it, so that a screen pays only for what it shows.
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Loader.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Button.css'
import './tokens.css'
import './base.css'
import './controls.css'
