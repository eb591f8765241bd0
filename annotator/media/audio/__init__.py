"""Audio: exact samples, the loudspeaker and its clock, waveform and spectrogram."""
