// Mantine's sheets that most screens need, in the order that Mantine wants them. A component that is not here
// imports its own sheet from the module that uses it, so that a screen pays only for what it shows. Always the layered
// form: our own rules then win in whatever order the build loads the files.
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Loader.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Button.layer.css'
import './tokens.css'
import './base.css'
import './pieces.css'
import './controls.css'
