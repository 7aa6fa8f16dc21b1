import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useState } from 'react'

interface AppliedFieldProps
  extends Pick<TextInputProps, 'label' | 'aria-label' | 'placeholder' | 'size' | 'w' | 'maxLength'> {
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** A filter by an exact text: it is applied with Enter or when the field loses the focus. */
export function AppliedField({ value = '', onChange, ...props }: AppliedFieldProps) {
  const [text, setText] = useState(value)
  // A changed address replaces the text.
  useEffect(() => setText(value), [value])
  const apply = () => {
    if (text.trim() !== value) onChange(text.trim() || undefined)
  }
  return (
    <TextInput
      {...props}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply()
      }}
    />
  )
}
