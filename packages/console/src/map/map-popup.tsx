import { type Map as MapLibre, Popup } from 'maplibre-gl'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

interface MapPopupProps {
  map: MapLibre
  position: { latitude: number; longitude: number }
  /** True if the content should get the focus; false after it did. */
  wantsFocus: RefObject<boolean>
  onPointer: (isInside: boolean) => void
  onEscape: () => void
  children: ReactNode
}

/** Content at a position of the map, which moves with it. */
export function MapPopup({ map, position, wantsFocus, onPointer, onEscape, children }: MapPopupProps) {
  const { latitude, longitude } = position
  const [element] = useState(() => document.createElement('div'))
  const [popup] = useState(
    () =>
      new Popup({
        closeButton: false,
        closeOnClick: false,
        focusAfterOpen: false,
        maxWidth: 'none',
        offset: 14,
      }),
  )
  useEffect(() => {
    popup.setLngLat([longitude, latitude]).setDOMContent(element).addTo(map)
    return () => void popup.remove()
  }, [map, popup, element])
  useEffect(() => {
    popup.setLngLat([longitude, latitude])
  }, [popup, longitude, latitude])
  // After every render: also of a card that was open before.
  useEffect(() => {
    const control = wantsFocus.current && element.querySelector<HTMLElement>('a, button')
    // The content may still be loading.
    if (!control) return
    wantsFocus.current = false
    control.focus()
  })
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: the content has the controls; Escape closes it from each
    <div
      onPointerEnter={() => onPointer(true)}
      onPointerLeave={() => onPointer(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onEscape()
      }}
    >
      {children}
    </div>,
    element,
  )
}
