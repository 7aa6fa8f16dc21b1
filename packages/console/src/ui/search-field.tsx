import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

interface SearchFieldProps {
  /** `Search access points` */
  label: string
  placeholder: string
  text: string
  onChange: (text: string) => void
}

/** Typed text is written to the address after a moment, and a changed address replaces the text. */
export function SearchField({ label, placeholder, text, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(text)
  const written = useRef(text)
  const write = useDebouncedCallback((next: string) => {
    written.current = next
    onChange(next)
  }, 200)
  useEffect(() => {
    if (text === written.current) return
    written.current = text
    setTyped(text)
  }, [text])
  const change = (next: string) => {
    setTyped(next)
    write(next)
  }
  return (
    <TextInput
      size="xs"
      w={230}
      aria-label={label}
      placeholder={placeholder}
      maxLength={128}
      leftSection={<IconSearch size={14} />}
      rightSection={typed && <CloseButton size="xs" aria-label="Clear search" onClick={() => change('')} />}
      value={typed}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
