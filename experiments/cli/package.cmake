# Installs the program, its completion for bash, zsh and fish, and the configs of the experiments. If help2man is found,
# installs the manual pages as well. The program itself prints the completion and the text of the manual.
set(printed)
foreach(shell IN ITEMS bash zsh fish)
  set(completion ${CMAKE_CURRENT_BINARY_DIR}/bloometry.${shell})
  add_custom_command(OUTPUT ${completion} COMMAND bloometry completion ${shell} > ${completion} DEPENDS bloometry VERBATIM)
  list(APPEND printed ${completion})
endforeach()
install(TARGETS bloometry RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bloometry.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME bloometry COMPONENT program)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bloometry.zsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _bloometry COMPONENT program)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bloometry.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/experiments/configs DESTINATION ${BLOOMETRY_INSTALL_DATADIR} COMPONENT program)

find_program(HELP2MAN help2man)
if(HELP2MAN)
  set(manual ${CMAKE_CURRENT_BINARY_DIR}/man1)
  add_custom_command(OUTPUT ${manual}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/make_manual.sh ${HELP2MAN} $<TARGET_FILE:bloometry> ${manual}
    DEPENDS bloometry make_manual.sh VERBATIM)
  list(APPEND printed ${manual})
  install(DIRECTORY ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
else()
  message(STATUS "bloometry: help2man not found, so manual pages are left out")
endif()
add_custom_target(bloometry_printed ALL DEPENDS ${printed})
