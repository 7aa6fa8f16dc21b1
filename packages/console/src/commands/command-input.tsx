import { Autocomplete, type AutocompleteProps, Text } from '@mantine/core'
import { explanationOf } from './command-texts.ts'

type CommandInputProps = Pick<
  AutocompleteProps,
  'description' | 'placeholder' | 'value' | 'onChange' | 'required' | 'openOnFocus' | 'flex'
> & { commands: readonly string[] }

/** A command with its value. Each suggestion says what it does. */
export function CommandInput({ commands, ...props }: CommandInputProps) {
  return (
    <Autocomplete
      {...props}
      label="Command"
      data={[...new Set(commands)]}
      renderOption={({ option }) => <Suggestion command={option.value} />}
      maxLength={1024}
    />
  )
}

function Suggestion({ command }: { command: string }) {
  const explanation = explanationOf(command)
  return (
    <div>
      <Text size="sm" span>
        {command}
      </Text>
      {explanation && (
        <Text size="xs" c="dimmed">
          {explanation}
        </Text>
      )}
    </div>
  )
}
